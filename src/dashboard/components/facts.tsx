import type { ComponentChildren, JSX } from 'preact'

/** Names and what they say; what is null says nothing and is a dash. */
export function Facts({
  facts,
  wide = false,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren])[]
  /** Side by side where there is room. */
  readonly wide?: boolean
}): JSX.Element {
  return (
    <dl class={wide ? 'facts facts--wide' : 'facts'}>
      {facts.map(([name, value]) => (
        <div class="facts__fact" key={name}>
          <dt>{name}</dt>
          <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}
