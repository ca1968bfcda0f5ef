-- sql_role — who may send SQL of their own, and as whom it runs

create view sql_role as
  select submitter, role
  from sql_roles;
