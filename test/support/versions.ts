import type { SqlTree } from './sql-directory.ts'

/** A small engine, complete in kinds: table, part, function, views over one another, trigger, grants. */
export const first = {
  'migrations/0001_notes.sql': `
    create sequence note_ids;
    create table notes (
      id   bigint not null default nextval('note_ids'),
      text text   not null,
      size integer,

      constraint notes_pkey primary key (id),
      constraint size_is_positive check (size > 0)
    ) with (fillfactor = 70);`,
  'core/now_pinned.sql': `
    create or replace function now_pinned() returns timestamptz language sql stable
      set search_path from current
    as $$ select now() $$;`,
  'verbs/note.sql': `
    create or replace function note(p_text text) returns bigint language sql
      set search_path from current
    as $$ insert into notes (text) values (p_text) returning id $$;`,
  'verbs/note_count.sql': `
    create or replace function note_count(p_like text default '%') returns bigint language sql
      set search_path from current
    as $$ select count(*) from notes where text like p_like $$;`,
  'views/a_summary.sql': 'create view a_summary as select max(id) as latest from note_list;',
  'views/note_list.sql': 'create view note_list as select id, text from notes;',
  'triggers/notes_measured.sql': `
    create or replace function measure_note() returns trigger language plpgsql
      set search_path from current
    as $$ begin new.size := length(new.text); return new; end $$;

    create or replace trigger notes_measured before insert on notes
      for each row execute function measure_note();`,
  'grants.sql': `
    select grant_verb('producer', 'note');
    select grant_view('operator', 'note_list', 'a_summary');`,
} satisfies SqlTree

const { 'migrations/0001_notes.sql': notes, ...overNotes } = first

/** The same, as the first release has it: its tables are the baseline. */
export const baseline = { 'schema/notes.sql': notes, ...overNotes } satisfies SqlTree

/** The same a release later: something of each kind has changed, been added and gone. */
export const second = {
  'migrations/0001_notes.sql': first['migrations/0001_notes.sql'],
  'migrations/0002_authors.sql': `
    create table authors (name text primary key);
    alter table notes add column author text references authors;
    alter table notes alter column size type bigint;`,
  'core/now_pinned.sql': first['core/now_pinned.sql'],
  'verbs/note.sql': `
    create or replace function note(p_text text, p_author text default null) returns bigint
      language sql
      set search_path from current
    as $$ insert into notes (text, author) values (p_text, p_author) returning id $$;`,
  'verbs/note_total.sql': `
    create or replace function note_total() returns table (notes bigint, authors bigint) language sql
      set search_path from current
    as $$ select count(*), count(distinct author) from notes $$;`,
  'views/a_summary.sql':
    'create view a_summary as select max(id) as latest, count(author) as signed from note_list;',
  'views/note_list.sql': 'create view note_list as select id, author, text from notes;',
  'triggers/notes_measured.sql': `
    create or replace function measure_text() returns trigger language plpgsql
      set search_path from current
    as $$ begin new.size := octet_length(new.text); return new; end $$;

    create or replace trigger notes_measured before insert or update on notes
      for each row execute function measure_text();`,
  'grants.sql': `
    select grant_verb('worker', 'note');
    select grant_verb('operator', 'note_total');
    select grant_view('operator', 'note_list');`,
} satisfies SqlTree
