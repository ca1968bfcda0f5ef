/**
 * The SQL of this package, by its path in sql/. Undefined in a checkout, where the files are read; the build writes the
 * texts here (build/embed-files.mjs), because a bundle of an application has no files beside it.
 */
export const sqlFiles = undefined as Readonly<Record<string, string>> | undefined
