-- What doors prove with that they gave something out. Whoever can read it can forge that.
create table secrets (
  name   text  primary key,
  secret bytea not null
);
