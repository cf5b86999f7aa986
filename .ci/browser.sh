#!/bin/bash
# Installs the headless Chromium and ChromeDriver that the browser tests drive (Debian, as root); quick when they are there.
set -euo pipefail

command -v chromium >/dev/null && command -v chromedriver >/dev/null && exit 0
apt-get update -q >/dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium chromium-driver fonts-noto-cjk >/dev/null
chromium --version
