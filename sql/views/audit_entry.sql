-- audit_entry — what people did, who they were, and what it changed

create view audit_entry as
  select audit.id, audit.at, audit.actor, audit.door, audit.token, tokens.name as token_name, audit.address,
         audit.request, audit.login, audit.action, audit.object, audit.before, audit.after
  from audit
  left join tokens on tokens.id = audit.token;
