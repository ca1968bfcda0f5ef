import type { JSX } from 'preact'

const paths = {
  overview: 'M3 12h4l2-7 4 14 2-7h6',
  tasks: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  queues: 'M4 7l8-4 8 4-8 4zM4 12l8 4 8-4M4 17l8 4 8-4',
  schedules: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  workers: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  chores: 'M20 7l-9.5 9.5L7 13M4 12a8 8 0 0 1 12-7',
  database:
    'M12 3c4.5 0 8 1.3 8 3v12c0 1.7-3.5 3-8 3s-8-1.3-8-3V6c0-1.7 3.5-3 8-3zM4 6c0 1.7 3.5 3 8 3s8-1.3 8-3M4 12c0 1.7 3.5 3 8 3s8-1.3 8-3',
  errors:
    'M12 8v5M12 16.5h.01M10.3 4L2.5 18a2 2 0 0 0 1.7 3h15.6a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0z',
  console: 'M5 8l4 4-4 4M12 17h7',
  audit: 'M7 3h10a1 1 0 0 1 1 1v17l-3-2-3 2-3-2-3 2V4a1 1 0 0 1 1-1zM9 8h6M9 12h6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  plus: 'M12 5v14M5 12h14',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4l13 8-13 8z',
  retry: 'M4 12a8 8 0 1 0 2.5-5.8M4 4v5h5',
  stop: 'M6 6h12v12H6z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14',
  edit: 'M4 20h4L20 8l-4-4L4 16z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12l5 5 9-10',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5',
  menu: 'M4 6h16M4 12h16M4 18h16',
  down: 'M6 9l6 6 6-6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  auto: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18',
  help: 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.700.4-1 .900-1 1.7M12 17h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
} as const

export type IconName = keyof typeof paths

/** A drawing beside words, never instead of them: screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
