-- All superseded executions of a record that is not expired: one statement, so that a take-over in
-- between cannot show an execution both here and not.
SELECT
    past.version, past.fingerprint, past.identity, past.superseded_at,
    past.status, past.headers, past.body
FROM idem_record AS record
JOIN idem_history AS past ON past.record = record.id
JOIN (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
WHERE record.id = ?1
  AND (record.expires_at > now OR (record.state = 0 AND record.lease_until > now))
ORDER BY past.version DESC
