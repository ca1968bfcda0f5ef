-- Locks that only the dialect can take. Any login of the database can take an advisory lock,
-- under any number, and keep it; a lock on a table needs a right to the table, which the
-- owner alone has. All of these are empty: what counts is the lock.

-- Callers that put something in a queue pass the gate of the queue (enter_queue()), as many at
-- once as there are; queue_drop() shuts it until it commits (close_queue()). Several, so that
-- one that is shut holds up few other queues.
create table gate_0 ();
create table gate_1 ();
create table gate_2 ();
create table gate_3 ();
create table gate_4 ();
create table gate_5 ();
create table gate_6 ();
create table gate_7 ();

-- Packers share it; a caller that counts anew has it alone (lock_books()).
create table books ();

-- One caller at a time creates queues.
create table creations ();
