/**
 * What the page of the own account lists: passkeys, sessions, logins by tokens, API keys; each can be ended there, and a
 * passkey named. A list says where it is read and how an entry ends; the module of the pages fills it with text.
 */
import { html } from 'svc-mail'
import type { ListName, PageTexts } from './page-texts.ts'

const API = '/svc/security/api'

interface List {
  /** Path, and the key of the answer that has the entries. */
  readonly from: readonly [path: string, items: string]
  /** Fields of an entry: what names it, and what it is called; of the second the first that is there. */
  readonly id: string
  readonly label: string
  /** Method and path; the id takes the place of `:id`. */
  readonly end: readonly [method: string, path: string]
  readonly rename?: string
}

const LISTS: Readonly<Record<ListName, List>> = {
  passkeys: {
    from: [`${API}/webauthn/credentials`, 'credentials'],
    id: 'id',
    label: 'nickname id',
    end: ['DELETE', `${API}/webauthn/credentials/:id`],
    rename: `${API}/webauthn/credentials/:id`
  },
  sessions: {
    from: [`${API}/auth/sessions`, 'sessions'],
    id: 'ref',
    label: 'userAgent ip ref',
    end: ['POST', `${API}/auth/sessions/:id/revoke`]
  },
  grants: {
    from: [`${API}/auth/grants`, 'grants'],
    id: 'ref',
    label: 'device ref',
    end: ['POST', `${API}/auth/grants/:id/revoke`]
  },
  keys: { from: [`${API}/keys`, 'keys'], id: 'id', label: 'name id', end: ['DELETE', `${API}/keys/:id`] }
}

/** The lists whose routes the application serves. @param serves whether it answers GET for a path */
export function listsOf(serves: (path: string) => boolean): ListName[] {
  return (Object.keys(LISTS) as ListName[]).filter((name) => serves(LISTS[name].from[0]))
}

export function accountLists(names: readonly ListName[], texts: PageTexts): unknown {
  return names.map((name) => {
    const { from, id, label, end, rename = '' } = LISTS[name]
    return html`<section><h2>${texts.lists[name]}</h2>
<ul data-list="${from[0]}" data-items="${from[1]}" data-id="${id}" data-label="${label}" data-end="${end.join(' ')}"
 data-rename="${rename}" data-texts="${JSON.stringify(texts.entry)}"></ul><p hidden>${texts.none}</p>${moreOf(name, texts)}</section>`
  })
}

function moreOf(name: ListName, texts: PageTexts): unknown {
  if (name === 'sessions') {
    return html`<form id="end-others" data-api="${API}/auth/sessions/revoke-others" data-next="account" data-said=""
 data-token="" data-save=""><button>${texts.endOthers}</button></form>`
  }
  if (name !== 'passkeys') return ''
  return html`<form id="add-passkey" hidden><label>${texts.entry.name}<input name="nickname" maxlength="100"
 autocomplete="off"></label><button>${texts.addPasskey}</button></form>`
}

/** Behind what every page runs: it reads the lists, and makes and names passkeys. */
export const LISTS_SCRIPT = `
function entryOf(item, list) {
  const { id, label, end, rename, texts } = list.dataset
  const said = JSON.parse(texts)
  const name = label.split(' ').map((field) => item[field]).find((value) => value != null && value !== '')
  const at = (path) => path.replace(':id', encodeURIComponent(item[id]))
  const entry = document.createElement('li')
  const text = entry.appendChild(document.createElement('p'))
  text.textContent = name
  const time = item.lastUsedAt ?? item.renewedAt ?? item.updatedAt ?? item.createdAt
  if (time != null) {
    const when = entry.appendChild(document.createElement('time'))
    when.dateTime = new Date(time).toISOString()
    when.textContent = new Date(time).toLocaleString(document.documentElement.lang)
  }
  const act = (button, work) => button.addEventListener('click', () => {
    show('')
    work().then((answer) => (answer.ok ? fill(list) : show(saidOf(answer))), () => show(saidOf(null)))
  })
  const buttonOf = (word) => {
    const button = entry.appendChild(document.createElement('button'))
    Object.assign(button, { type: 'button', textContent: word })
    button.setAttribute('aria-label', word + ': ' + name)
    return button
  }
  if (rename !== '') {
    const input = document.createElement('input')
    Object.assign(input, { value: item.nickname ?? '', maxLength: 100, autocomplete: 'off' })
    input.setAttribute('aria-label', said.name + ': ' + name)
    entry.appendChild(input)
    act(buttonOf(said.rename), () => call('PATCH', at(rename), { nickname: input.value.trim() || null }))
  }
  const [method, path] = end.split(' ')
  // The session of this page ends by signing out.
  if (item.current !== true) act(buttonOf(said.end), () => call(method, at(path)))
  else text.textContent = name + ' (' + said.here + ')'
  return entry
}

function saidOf(answer) {
  return said[answer?.body.code] ?? said.failed
}

async function fill(list) {
  const answer = await call('GET', list.dataset.list)
  const items = answer.ok ? answer.body[list.dataset.items].filter((item) => item.revokedAt == null) : []
  list.replaceChildren(...items.map((item) => entryOf(item, list)))
  list.hidden = items.length === 0
  list.nextElementSibling.hidden = items.length > 0
}

async function addPasskey(form) {
  const options = await call('POST', SECURITY + '/webauthn/register/options', {})
  if (!options.ok) return show(saidOf(options))
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options.body)
  const made = await navigator.credentials.create({ publicKey })
  const nickname = new FormData(form).get('nickname').trim() || null
  const answer = await call('POST', SECURITY + '/webauthn/register/verify', { response: made.toJSON(), nickname })
  if (!answer.ok) return show(saidOf(answer))
  form.reset()
  await fill(document.querySelector('[data-rename]:not([data-rename=""])'))
}

async function showLists() {
  const form = document.getElementById('add-passkey')
  if (form !== null && typeof globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON === 'function') {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      show('')
      addPasskey(form).catch(() => show(said.failed))
    })
  }
  await Promise.all(Array.from(document.querySelectorAll('[data-list]'), fill))
}
`
