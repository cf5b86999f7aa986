#!/bin/bash
# Installs what the browser tests need (Debian, as root): headless Chromium, ChromeDriver, a font with Chinese; quick when it is there.
set -euo pipefail

if command -v chromium >/dev/null && command -v chromedriver >/dev/null && fc-list :lang=zh | grep -q .; then exit 0; fi
apt-get update -q >/dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium chromium-driver fontconfig fonts-wqy-microhei >/dev/null
chromium --version
