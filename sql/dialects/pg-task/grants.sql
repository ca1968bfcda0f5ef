-- Who may do what. Task tables are granted like tables: operators have them, others
-- need a GRANT. No role calls the functions behind their triggers.

select grant_verb('admin', 'create_task_table', 'drop_task_table', 'refresh_task_tables', 'set_task_table');
select grant_verb('admin', 'adopt_task_table', 'release_task_table', 'drop_adopted');
select grant_verb('worker', 'write_owed');

select pin_plan_settings();
select engine_first('follow_rows', 'task_began', 'task_lost', 'task_ended', 'write_owed', 'create_task_table',
                    'refresh_task_tables', 'adopt_task_table', 'release_task_table', 'drop_task_table');
select refresh_task_tables();
