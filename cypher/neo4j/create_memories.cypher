// Inserts memories of one type that are not there yet.
// $user_id the scope  $rows props, times as [seconds, nanoseconds]
UNWIND $rows AS row
CREATE (m:Memory/*label*/)
SET m = row.props, m.user_id = $user_id
FOREACH (name IN keys(row.times) | SET m[name] = datetime({epochSeconds: row.times[name][0], nanosecond: row.times[name][1]}))
RETURN count(m)
