import type { ComponentChildren, JSX } from 'preact'

/** Names and what they say; what is null says nothing and is a dash. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren])[]
}): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div class="facts__fact" key={name}>
          <dt>{name}</dt>
          <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}
