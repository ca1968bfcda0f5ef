/**
 * The SQL of this package, by its path in sql/. Undefined in a checkout, where the files are read. The build writes the
 * texts here (build/embed-files.mjs), because a bundled application has no files beside it.
 */
export const sqlFiles = undefined as Readonly<Record<string, string>> | undefined
