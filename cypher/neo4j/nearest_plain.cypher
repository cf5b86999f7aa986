// The memories nearest to a vector in the whole database, with whether they are the scope's and a condition shows them (servers without filters in the index).
// $user_id the scope  $vector what is near  $fetch rows
CALL db.index.vector.queryNodes('memory_vectors', $fetch, $vector) YIELD node AS m, score
/*belief*/
RETURN m.id AS id, 2 * score - 1 AS score, (m.user_id = $user_id AND /*where*/ true) AS shown
