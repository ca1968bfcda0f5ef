-- How far sweep() has come with a day of finished that is to be dropped: before that block
-- of the table nothing is left elsewhere of its tasks.

create table clearings (
  day   text   not null,
  block bigint not null,

  constraint clearings_pkey primary key (day)
);
