import { type Mutant, mutantsOf as of, type Short } from './mutant.ts'

const about = ['store', 'claim', 'end', 'history', 'retry', 'rescue'] as const

const made: readonly Short[] = [
  ['lets a row grow without end', [`v_size > bound('pack') or`, '']],
  ['ignores how large a row becomes', ['v_total > c_row or', '']],
  ['takes tasks that differ for alike', ['if not v_alike then', 'if false then']],
  ['forgets where a run of alike tasks ends', ['or v_breaks[i] then', 'then']],
  [
    'mixes up the payloads',
    [
      'jsonb_agg(task.payload order by task.place)',
      'jsonb_agg(task.payload order by task.place desc)',
    ],
  ],
]

const packable: readonly Short[] = [
  ['packs documents', [`coalesce(p_task.kind, 'handler') = 'handler' and`, '']],
  ['packs tasks with a deadline', ['p_task.deadline is null and', '']],
  ['packs tasks of every queue', ['and p_task.queue = any (p_queues)', '']],
]

const cut: readonly Short[] = [
  [
    'gives each piece the first payload',
    ['slice_of(v_pack.payload, v_from, v_piece.size)', 'slice_of(v_pack.payload, 0, v_piece.size)'],
  ],
  [
    'gives each piece the size of the whole',
    ['v_piece.size := least(p_piece, v_pack.size - v_from)', 'v_piece.size := v_pack.size'],
  ],
  ['forgets the pieces behind the first', ['insert into tasks values (v_piece.*);', '']],
  [
    'leaves the first piece as it was',
    ['set size = p_piece, payload = slice_of(v_pack.payload, 0, p_piece)', 'set size = size'],
  ],
]

const kept: readonly Short[] = [
  ['gives each piece the first payload', ['v_pack.payload -> v_from', 'v_pack.payload -> 0']],
  ['gives each piece the first output', ['v_pack.output -> v_from', 'v_pack.output -> 0']],
  [
    'keeps the output of all with the first',
    [`output = nullif(v_pack.output -> 0, 'null')`, 'output = v_pack.output'],
  ],
]

const folded: readonly Short[] = [
  [
    'ends a pack of which a task is missing',
    [/where p_ids\[pack\.place : .*?as n\)/s, 'where true'],
  ],
  ['forgets the outputs of a pack', ['having count(output) > 0', 'having false']],
  ['leaves out the tasks beside packs', ['where not exists (', 'where false and not exists (']],
]

/** Mutants of rows that stand for several tasks. */
export const packs: readonly Mutant[] = [
  ...made.map(of('pack_tasks', about)),
  ...packable.map(of('can_be_packed', about)),
  ...cut.map(of('cut_pack', about)),
  ...kept.map(of('split_kept_packs', about)),
  ...folded.map(of('fold_packs', about)),
  ...(
    [
      [
        'takes more tasks than fit',
        ['if v_tasks + p_sizes[i] > p_limit + p_spare then', 'if false then'],
      ],
    ] satisfies Short[]
  ).map(of('fit_packs', about)),
  ...(
    [['rescues no pack', ['perform cut_pack(pack.id, 1, false)', 'perform']]] satisfies Short[]
  ).map(of('take_lost_tasks', about)),
]
