-- A claim; where it is not granted, the record that is in the way, as it is after the claim was tried.
SELECT claim.*, found.*
FROM idem_claim(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21
) AS claim
LEFT JOIN LATERAL idem_find(CASE WHEN granted_fence IS NULL THEN $1 END, $7) AS found ON true
