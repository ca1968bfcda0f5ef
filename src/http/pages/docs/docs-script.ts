/**
 * Sends what the forms of the page say, as the session of the dashboard or with a token that is typed in. The token stays in
 * its box. A text rather than a module: the page must stand alone, wherever the server is bundled.
 */
export const docsScript = `'use strict'
const base = document.querySelector('main').dataset.base
const token = document.getElementById('token')
const headersFor = (method, hasBody) => ({
  accept: 'application/json',
  ...(method === 'GET' ? {} : { 'x-tusk-csrf': '1' }),
  ...(hasBody ? { 'content-type': 'application/json' } : {}),
  ...(token.value.trim() === '' ? {} : { authorization: 'Bearer ' + token.value.trim() }),
})

async function tellWho() {
  const who = document.getElementById('who')
  const answer = await fetch(base + '/api/v1/session', { headers: headersFor('GET', false) }).catch(() => null)
  if (answer === null) who.textContent = 'The server does not answer.'
  else if (!answer.ok) who.textContent = 'Not signed in: open the dashboard, or give a token.'
  else {
    const { name, scopes } = await answer.json()
    who.textContent = 'You are ' + name + ' (' + scopes.join(', ') + ').'
  }
}

function requestOf(form) {
  const method = form.dataset.method.toUpperCase()
  let path = form.dataset.path
  const query = new URLSearchParams()
  const headers = {}
  let body
  for (const field of form.querySelectorAll('[data-in]')) {
    const { in: place, name } = field.dataset
    if (place === 'body') body = field.value
    else if (place === 'path') path = path.replace('{' + name + '}', encodeURIComponent(field.value))
    else if (field.value === '') continue
    else if (place === 'query') query.append(name, field.value)
    else if (place === 'header') headers[name] = field.value
  }
  const text = query.toString()
  return { method, url: base + path + (text === '' ? '' : '?' + text), headers, body }
}

const quoted = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'"

function curlOf({ method, url, headers, body }) {
  const shown = { authorization: 'Bearer $TUSK_TOKEN', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers }
  const parts = ['curl -X ' + method, quoted(location.origin + url)]
  for (const [name, value] of Object.entries(shown))
    parts.push('-H ' + (name === 'authorization' ? '"' + name + ': ' + value + '"' : quoted(name + ': ' + value)))
  if (body !== undefined) parts.push('-d ' + quoted(body))
  return parts.join(' ')
}

async function sendForm(form) {
  const status = form.querySelector('.status')
  const request = requestOf(form)
  const line = form.querySelector('.line')
  line.textContent = curlOf(request)
  line.hidden = false
  status.className = 'status'
  status.textContent = 'Sending…'
  const answer = await fetch(request.url, {
    method: request.method,
    headers: { ...headersFor(request.method, request.body !== undefined), ...request.headers },
    body: request.body,
  }).catch((error) => ({ ok: false, status: 0, statusText: String(error), text: async () => '', body: null, headers: new Headers() }))
  status.className = 'status status--' + (answer.ok ? 'good' : 'bad')
  status.textContent = (answer.status + ' ' + answer.statusText).trim()
  const shown = form.querySelector('.answer')
  shown.hidden = false
  shown.textContent = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream')
    ? await someOf(answer.body)
    : pretty(await answer.text())
}

// A stream does not end: what comes in the first two seconds is shown.
async function someOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  setTimeout(() => reader.cancel(), 2000)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + '\\n(the stream goes on)'
    text += value
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text === '' ? '(no body)' : text
  }
}

for (const form of document.querySelectorAll('form.try'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void sendForm(form)
  })
document.querySelector('form.who').addEventListener('submit', (event) => event.preventDefault())
token.addEventListener('change', () => void tellWho())
const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1))
  if (target !== null && target.tagName === 'DETAILS') target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()
void tellWho()
`
