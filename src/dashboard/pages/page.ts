import type { ComponentType } from 'preact'
import type { IconName } from '../components/icons.tsx'
import type { Params } from '../router.ts'

export interface PageProps {
  readonly params: Params
}

/** One page: where it is, what it is called, and how to get there. */
export interface PageEntry {
  /** Such as `/tasks/:id`. */
  readonly path: string
  readonly title: string
  readonly component: ComponentType<PageProps>
  /** Shown in the navigation. */
  readonly icon?: IconName
  /** Pressed after `g`. */
  readonly key?: string
  /** Shown to those who may. */
  readonly scope?: string
}
