-- The statements of the article "Планировщик асинхронных заданий" about pg_task, in its order, on the dialect pg-task. Run it with
--
--   npx tusk migrate up && npx tusk dialect install pg-task && npx tusk start --allow-remote
--   psql -f paper.sql
--
-- Two things are written otherwise, because Postgres refuses them as the article has them: now() + '5 min':INTERVAL,
-- and the column group without quotes. 'user=user host=host' leads nowhere: those tasks fail with the words of libpq.

-- выполнить запрос локально как можно быстрее
INSERT INTO task (input) VALUES ('SELECT now()');
-- выполнить запрос удалённо как можно быстрее
INSERT INTO task (input, remote) VALUES ('SELECT now()', 'user=user host=host');

-- сообщение об ошибке планировщик запишет в текстовое поле error
INSERT INTO task (input) VALUES ('SELECT 1/0');
INSERT INTO task (input, remote) VALUES ('SELECT 1/0', 'user=user host=host');

-- выполнить запрос через 5 минут
INSERT INTO task (plan, input) VALUES (now() + '5 min'::INTERVAL, 'SELECT now()');
-- выполнить запрос в указанное время в указанную дату
INSERT INTO task (plan, input) VALUES ('2029-07-01 12:51:00', 'SELECT now()');

-- повторять запрос каждые 5 минут
INSERT INTO task (repeat, input) VALUES ('5 min', 'SELECT now()');

-- выполнить 10 запросов, одновременно выполняя по два запроса
INSERT INTO task (max, input) SELECT 1, 'SELECT pg_sleep(10)' FROM generate_series(1, 10);
-- выполнить запрос параллельно к двум уже запущенным
INSERT INTO task (max, input) VALUES (2, 'SELECT now()');

-- выполнить 10 запросов, одновременно выполняя по два запроса в одной группе, и 10 в другой
INSERT INTO task ("group", max, input) SELECT 'one', 1, 'SELECT pg_sleep(10)' FROM generate_series(1, 10);
INSERT INTO task ("group", max, input) SELECT 'two', 1, 'SELECT pg_sleep(10)' FROM generate_series(1, 10);

-- выполнить 10 запросов антипараллельно, т.е. последовательно выполняя их с паузой 5 секунд между выполнениями
INSERT INTO task (max, input) SELECT -5000, 'SELECT pg_sleep(10)' FROM generate_series(1, 10);

-- выполнить запрос с таймаутом 5 секунд
INSERT INTO task (timeout, input) VALUES ('5 sec', 'SELECT pg_sleep(10)');
