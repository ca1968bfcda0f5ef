import { jsonSchema, type Operation, type Parameter, type Schema } from './document.ts'
import { escapeHtml, paragraphs, slug, words } from './html.ts'
import { sampleOf } from './sample.ts'
import { mark, schemaHtml, table, typeHtml } from './schema-html.ts'

export interface OperationAt {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function anchorOf({ method, path }: OperationAt): string {
  return slug(`${method} ${path}`)
}

/** One operation: what it takes and gives, and a form that sends it. */
export function operationHtml(at: OperationAt, schemas: Readonly<Record<string, Schema>>): string {
  const { method, path, operation } = at
  const { summary = '', description, parameters = [], requestBody, responses = {} } = operation
  const scope = operation['x-tusk-scope'] ?? ''
  const body = jsonSchema(requestBody?.content)
  return `<details class="op" id="${anchorOf(at)}">
<summary><span class="verb verb--${method}">${method.toUpperCase()}</span>
<code class="path">${escapeHtml(path)}</code><span class="what">${words(summary)}</span></summary>
<div class="op__body">
<p class="scope">${scopeWords[scope] ?? `Needs the scope <code>${escapeHtml(scope)}</code>.`}</p>
${description === undefined ? '' : paragraphs(description)}
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${parametersHtml(parameters)}`}
${body === undefined ? '' : `<h4>Body</h4>${bodyHtml(body)}`}
<h4>Answers</h4>${responsesHtml(responses)}
${tryHtml(at, parameters, body, schemas)}
</div></details>`
}

const scopeWords: Readonly<Record<string, string>> = {
  open: 'Needs no token.',
  any: 'Needs any token.',
}

function parametersHtml(parameters: readonly Parameter[]): string {
  return table(
    ['Name', 'In', 'Type', 'Meaning'],
    parameters.map(
      ({ name, in: where, required, schema, description }) =>
        `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required ? mark : ''}</th><td>${escapeHtml(where)}</td>` +
        `<td>${typeHtml(schema)}</td><td>${words(description ?? schema?.description ?? '')}</td></tr>`,
    ),
  )
}

function bodyHtml(schema: Schema): string {
  return schema.$ref === undefined ? schemaHtml(schema) : `<p>${typeHtml(schema)}</p>`
}

function responsesHtml(responses: NonNullable<Operation['responses']>): string {
  return table(
    ['Status', 'Meaning', 'Body'],
    Object.entries(responses).map(([status, { description = '', content }]) => {
      const schema = jsonSchema(content)
      return `<tr><th scope="row">${escapeHtml(status)}</th><td>${words(description)}</td><td>${schema === undefined ? '' : typeHtml(schema)}</td></tr>`
    }),
  )
}

function tryHtml(
  at: OperationAt,
  parameters: readonly Parameter[],
  body: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
): string {
  const id = anchorOf(at)
  const inputs = parameters.map((one) => {
    const field = `${id}-${slug(one.in)}-${slug(one.name)}`
    const need = one.required ? ' required' : ''
    return `<label for="${field}">${escapeHtml(one.name)} <small>${escapeHtml(one.in)}</small></label>
<input id="${field}" data-in="${escapeHtml(one.in)}" data-name="${escapeHtml(one.name)}" autocomplete="off" spellcheck="false"${need}>`
  })
  const sample = body === undefined ? '' : JSON.stringify(sampleOf(body, schemas), null, 2)
  const area =
    body === undefined
      ? ''
      : `<label for="${id}-body">body <small>JSON</small></label>
<textarea id="${id}-body" data-in="body" rows="${Math.min(12, sample.split('\n').length + 1)}" spellcheck="false">${escapeHtml(sample)}</textarea>`
  return `<form class="try" data-method="${at.method}" data-path="${escapeHtml(at.path)}" aria-label="Try ${at.method.toUpperCase()} ${escapeHtml(at.path)}">
<h4>Try it</h4>
<div class="fields">${inputs.join('\n')}${area}</div>
<p class="send"><button type="submit">Send</button> <span class="status" role="status"></span></p>
<pre class="line" tabindex="0" aria-label="As a command" hidden></pre><pre class="answer" tabindex="0" aria-label="Answer" hidden></pre>
</form>`
}
