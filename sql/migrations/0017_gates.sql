-- Locks that only the engine can take. An advisory lock is open to every login of the
-- database, which may take it under any number and keep it; a lock on a table or on one of
-- its rows needs a right to the table, which the engine's owner alone has.

-- Claims pass the gate of their queue (pass_gate()), as many at once as there are;
-- begin_counting() shuts it until it commits. Empty: what counts is the lock on the table.
-- A few, so that one that is shut holds up few other queues.
create table gate_0 ();
create table gate_1 ();
create table gate_2 ();
create table gate_3 ();
create table gate_4 ();
create table gate_5 ();
create table gate_6 ();
create table gate_7 ();

-- A row for each thing that one transaction at a time may do; see create_groups().
create table latches (
  name text collate "C" not null,

  constraint latches_pkey primary key (name)
);

insert into latches (name) select 'create groups ' || n from generate_series(0, 15) as n;
