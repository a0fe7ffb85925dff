/**
 * The files of the pages: one module and one style, as text, so that nothing has to be built. The module writes text and no
 * markup, takes the token out of the address bar, and sends what the page's forms name to the API of this origin.
 */
import { hash } from 'node:crypto'
import { LISTS_SCRIPT } from './account-lists.ts'

const SCRIPT = `const main = document.querySelector('main')
const { base, page } = main.dataset
const said = JSON.parse(main.dataset.said)
const status = document.getElementById('status')
const token = location.hash.slice(1)
const SECURITY = '/svc/security/api'
let csrf = ''

// What is in the address bar is in the history, on a shared screen, in a bookmark.
if (token !== '') history.replaceState(null, '', location.pathname)
for (const part of document.querySelectorAll('[data-when]')) part.hidden = (part.dataset.when === 'token') !== (token !== '')
for (const part of document.querySelectorAll('[data-later]')) part.hidden = true

async function call(method, path, body) {
  const headers = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (csrf !== '') headers['x-csrf-token'] = csrf
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body), credentials: 'same-origin' })
  return { status: answer.status, ok: answer.ok, body: await answer.json() }
}

async function readSession() {
  const me = await call('GET', SECURITY + '/auth/me')
  csrf = me.ok ? me.body.csrfToken : ''
  return me.ok
}

function show(text) {
  status.textContent = text
}

function save(name, value) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60000)
}

async function submit(form) {
  const { api, next, token: linked, save: file } = form.dataset
  const body = Object.fromEntries(new FormData(form))
  if (linked !== '') body.token = token
  const address = body.username ?? body.address
  // Login names are compared exactly; the part behind the @ is stored in lower case.
  if (address !== undefined) body[body.username === undefined ? 'address' : 'username'] = lowerDomain(address.trim())
  if (form.id === 'begin' && page === 'sign-up') body.locale = document.documentElement.lang
  const answer = await call('POST', api, body)
  if (answer.status === 401 && (page === 'account' || page === 'export') && !(await readSession())) return go('sign-in')
  if (!answer.ok) return show(said[answer.body.code] ?? said.failed)
  if (answer.status === 202 && form.id === 'login') return askCode()
  if (file !== '') save(file, answer.body)
  if (next !== '') return go(next)
  form.reset()
  show(form.dataset.said)
}

function lowerDomain(address) {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + address.slice(at).toLowerCase()
}

function askCode() {
  document.getElementById('login').hidden = true
  for (const part of document.querySelectorAll('[data-later]')) part.hidden = false
  document.querySelector('#code input').focus()
}

function go(to) {
  location.assign(to === 'account' ? base : base + '/' + to)
}

/** @param mediation 'conditional' waits in the list of names that the browser offers */
async function usePasskey(mediation, signal) {
  const options = await call('POST', SECURITY + '/webauthn/login/options', {})
  if (!options.ok) return
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.body)
  const credential = await navigator.credentials.get({ publicKey, mediation, signal })
  const answer = await call('POST', SECURITY + '/webauthn/login/verify', { response: credential.toJSON() })
  if (answer.ok) go('account')
  else show(said[answer.body.code] ?? said.failed)
}

async function offerPasskeys() {
  if (typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON !== 'function') return
  const probe = await call('POST', SECURITY + '/webauthn/login/options', {})
  if (!probe.ok) return
  const waiting = new AbortController()
  const button = document.getElementById('passkey')
  button.hidden = false
  button.addEventListener('click', () => {
    waiting.abort()
    usePasskey('optional').catch(() => show(said.failed))
  })
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) usePasskey('conditional', waiting.signal).catch(() => {})
}

${LISTS_SCRIPT}
for (const form of document.forms) {
  if (form.dataset.api === undefined) continue
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    show('')
    submit(form).catch(() => show(said.failed))
  })
}

if (page === 'account' || page === 'export') {
  if (!(await readSession())) {
    if (page === 'account') go('sign-in')
  } else if (page === 'account') {
    const me = await call('GET', '/api/accounts/me')
    document.getElementById('who').textContent = me.body.identifier
    const going = me.body.deleteAt !== null
    for (const [id, hidden] of [['keep', !going], ['delete', going]]) {
      const form = document.getElementById(id)
      if (form !== null) form.hidden = hidden
    }
    const notice = document.getElementById('going')
    if (going && notice !== null) {
      const date = new Date(me.body.deleteAt).toLocaleString(document.documentElement.lang)
      notice.textContent = notice.dataset.text.replace('{date}', date)
      notice.hidden = false
    }
    await showLists()
  }
}
main.dataset.ready = 'yes'
if (page === 'sign-in') offerPasskeys().catch(() => {})
`

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; place-items: start center; padding: 3rem 1rem }
main { width: min(24rem, 100%) }
form { margin: 1.5rem 0 }
ul { list-style: none; padding: 0 }
li { margin: 0 0 1rem; overflow-wrap: anywhere }
li p { margin: 0 }
li time { display: block }
li button, li input { margin: 0.25rem 0.5rem 0.25rem 0 }
label { display: block; margin: 0 0 0.75rem }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: 0.5rem; margin-top: 0.25rem }
button { font: inherit; padding: 0.5rem 1rem; cursor: pointer }
[hidden] { display: none }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
`

export interface PageFile {
  /** Of its content, so that it can be cached for ever. */
  readonly name: string
  readonly type: string
  readonly text: string
}

function fileOf(extension: string, type: string, text: string): PageFile {
  return { name: `${hash('sha256', text, 'base64url').slice(0, 16)}.${extension}`, type, text }
}

export const PAGE_SCRIPT: PageFile = fileOf('js', 'text/javascript; charset=utf-8', SCRIPT)
export const PAGE_STYLE: PageFile = fileOf('css', 'text/css; charset=utf-8', STYLE)
