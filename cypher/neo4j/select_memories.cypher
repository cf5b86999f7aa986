// A page of the memories that a condition shows, in an order.
// $user_id the scope  $limit rows  $last $last_id where the page before ended
MATCH (m:Memory {user_id: $user_id})
/*belief*/
WHERE /*where*/ true
WITH *, /*sort*/ m.moment AS sort
WHERE /*beyond*/ true
WITH * ORDER BY /*order*/ sort, m.id LIMIT $limit
RETURN /*columns*/ m.id, sort, m.id AS id ORDER BY /*order*/ sort, id
