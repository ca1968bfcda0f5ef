/** The version of this package. Undefined in a checkout, where the manifest is read; written by build/embed-files.mjs. */
export const packagedVersion = undefined as string | undefined
