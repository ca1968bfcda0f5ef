/** The schemas of Fetchq 4.x, and the names under which they are kept after their documents were taken over. */
export const keptSchemas = [
  { name: 'fetchq', kept: 'fetchq_original' },
  { name: 'fetchq_data', kept: 'fetchq_data_original' },
] as const
