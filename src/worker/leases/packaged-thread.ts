/**
 * The code of the heartbeat thread with all that it imports. Undefined in a checkout, where the thread starts from its
 * file; written by build/embed-files.mjs, because a bundle of an application has no such file.
 */
export const threadCode = undefined as string | undefined
