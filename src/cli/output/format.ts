/** How data is printed. */
export const outputFormats = ['table', 'json', 'jsonl', 'csv'] as const

export type OutputFormat = (typeof outputFormats)[number]
