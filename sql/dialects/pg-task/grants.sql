-- Who may do what. Task tables are granted like tables: operators have them, others
-- need a GRANT. Nobody calls the functions behind their triggers.

select grant_verb('admin', 'create_task_table', 'drop_task_table', 'refresh_task_tables');

select steady_plans();
select engine_first('apply_changes', 'follow_up');
select refresh_task_tables();
