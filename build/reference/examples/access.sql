-- Examples of the SQL reference. A test runs each of them.

-- begin_request
select state, status, body from tusk.begin_request('token 1', 'order 7', sha256('POST /tasks {"queue": "mail"}'));

-- claim_secret
select length(tusk.claim_secret());

-- close_session
select tusk.close_session(sha256('the secret of the session'));

-- create_token
select tusk.create_token('ci', 'vH3nKgA1', sha256('tusk_vH3nKgA1_…'), '{read,enqueue:mail}', now() + interval '90 days');

-- end_request
select tusk.begin_request('token 1', 'order 7', sha256('POST /tasks {"queue": "mail"}'));
select tusk.end_request('token 1', 'order 7', 201, '{}', '{"id": "42"}');

-- find_session
select name, scopes, expires_at from tusk.find_session(sha256('the secret of the session'));

-- find_token
select name, hash, scopes from tusk.find_token('vH3nKgA1');

-- grant_queue
select tusk.grant_queue('mail', 'tusk_producer', '{enqueue}');

-- has_tokens
select tusk.has_tokens();

-- lock_for_edit
select tusk.lock_for_edit('queue', 'mail');

-- open_queue
select tusk.open_queue('mail');

-- open_session
select tusk.create_token('ci', 'vH3nKgA1', sha256('tusk_vH3nKgA1_…'), '{read}');
select tusk.open_session(sha256('the secret of the session'), 'vH3nKgA1', sha256('tusk_vH3nKgA1_…'));

-- revoke_queue
select tusk.revoke_queue('mail', 'tusk_producer', '{enqueue}');

-- revoke_token
select tusk.revoke_token(tusk.create_token('ci', 'vH3nKgA1', sha256('tusk_vH3nKgA1_…'), '{read}'));
