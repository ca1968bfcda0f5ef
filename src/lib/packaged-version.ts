/**
 * The version of this package, written by build/embed-files.mjs. Undefined in a checkout, where the manifest is read.
 */
export const packagedVersion = undefined as string | undefined
