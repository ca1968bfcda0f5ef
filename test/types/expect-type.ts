/** Whether two types are the same, not only assignable to each other. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only if its type argument is what its argument says. */
export function expectType<Is extends boolean>(_is: Is): void {}
