/**
 * The documents of the pages. Each form says which route it posts to and what then follows; one module, the same for all,
 * does it. A document holds no script, no style and nothing of a user.
 */
import { html } from 'svc-mail'
import { ACCOUNTS_API } from '../api/accounts-api.ts'
import type { AccountsConfig } from '../options.ts'
import { accountLists } from './account-lists.ts'
import type { ListName, PageName, PageTexts } from './page-texts.ts'

export interface PageSetting {
  readonly name: PageName
  /** Path of the pages. */
  readonly base: string
  readonly locale: string
  readonly texts: PageTexts
  /** File names, which change with their content. */
  readonly files: { readonly script: string; readonly style: string }
  /** Of the own account, those that the application serves. */
  readonly lists: readonly ListName[]
  readonly flows: Pick<AccountsConfig, 'signUp' | 'reset' | 'changeAddress' | 'deletion' | 'export'>
}

const SECURITY_API = '/svc/security/api'

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autocomplete: string
}

interface Form {
  readonly id: string
  readonly api: string
  readonly fields?: readonly Field[]
  readonly button: string
  /** Shown once it is done. */
  readonly said?: string
  /** The page that follows. */
  readonly next?: PageName
  /** Sends the token of the link along. */
  readonly token?: boolean
  /** Saves the answer as a file of this name. */
  readonly save?: string
}

export function pageDocument(setting: PageSetting): string {
  const { name, base, locale, texts, files } = setting
  const title = texts.titles[name]
  const said = JSON.stringify({ ...texts.errors, SVC_SEC_PROOF_DUE: texts.again, failed: texts.failed })
  const main = html`<main data-page="${name}" data-base="${base}" data-said="${said}">
<h1>${title}</h1>
${contentOf(setting)}
<p role="status" id="status"></p>
<noscript>${texts.needsScripts}</noscript>
</main>`
  // Paths, file names and languages are of letters that need no escape.
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${html`<title>${title}</title>`}
<link rel="stylesheet" href="${base}/files/${files.style}">
<script type="module" src="${base}/files/${files.script}"></script>
</head>
<body>
${main}
</body>
</html>
`
}

function contentOf(setting: PageSetting): unknown {
  const { name, base, texts, flows } = setting
  const address = { name: 'address', label: texts.address, type: 'email', autocomplete: 'username' } as const
  const password = {
    name: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'current-password'
  } as const
  const chosen = { ...password, label: texts.newPassword, autocomplete: 'new-password' } as const
  const linked = (form: Omit<Form, 'id' | 'token'>) => byLink(formOf({ id: 'link', token: true, ...form }), texts)
  const link = (to: PageName, label: string) => html`<p><a href="${base}/${to}">${label}</a></p>`
  switch (name) {
    case 'sign-in': {
      const login = { ...address, name: 'username', autocomplete: 'username webauthn' }
      const code = { name: 'code', label: texts.code, type: 'text', autocomplete: 'one-time-code' } as const
      const first = { id: 'login', api: `${SECURITY_API}/auth/login`, fields: [login, password] }
      const second = { id: 'code', api: `${SECURITY_API}/auth/login/totp`, fields: [code] }
      return html`${formOf({ ...first, button: texts.signIn, next: 'account' })}
<div data-later>${formOf({ ...second, button: texts.signIn, next: 'account' })}</div>
<button type="button" id="passkey" hidden>${texts.passkey}</button>
${flows.reset && link('reset', texts.forgotten)}${flows.signUp && link('sign-up', texts.signUp)}`
    }
    case 'sign-up': {
      const api = `${ACCOUNTS_API}/sign-up`
      const begin = { id: 'begin', api, fields: [address, { ...chosen, label: texts.password }], button: texts.signUp }
      const again = { id: 'again', api: `${api}/resend`, fields: [address], button: texts.resend, said: texts.mailed }
      const verify = {
        id: 'link',
        api: `${ACCOUNTS_API}/verify`,
        fields: [password],
        button: texts.finish,
        token: true
      }
      return html`<div data-when="no-token">${formOf({ ...begin, said: texts.mailed })}${formOf(again)}</div>
<div data-when="token">${formOf({ ...verify, next: 'sign-in' })}</div>`
    }
    case 'reset': {
      const api = `${ACCOUNTS_API}/reset`
      const begin = { id: 'begin', api, fields: [address], button: texts.sendLink, said: texts.mailed }
      const end = { id: 'link', api: `${api}/complete`, fields: [chosen], button: texts.finish, token: true }
      return html`<div data-when="no-token">${formOf(begin)}</div>
<div data-when="token">${formOf({ ...end, next: 'sign-in' })}</div>`
    }
    case 'invitation':
      return linked({
        api: `${ACCOUNTS_API}/invitations/accept`,
        fields: [chosen],
        button: texts.accept,
        next: 'sign-in'
      })
    case 'address':
      return linked({ api: `${ACCOUNTS_API}/address/confirm`, button: texts.confirm, next: 'sign-in' })
    case 'undo':
      return linked({ api: `${ACCOUNTS_API}/address/undo`, button: texts.undo, said: texts.mailed })
    case 'deletion':
      return linked({ api: `${ACCOUNTS_API}/deletion/cancel-by-link`, button: texts.keepAccount, said: texts.done })
    case 'export':
      return linked({
        api: `${ACCOUNTS_API}/export/download`,
        button: texts.download,
        save: 'account.json',
        said: texts.done
      })
    case 'account':
      return accountForms(setting, chosen)
  }
}

function accountForms({ texts, flows, lists }: PageSetting, chosen: Field): unknown {
  const current = { ...chosen, name: 'current', label: texts.currentPassword, autocomplete: 'current-password' }
  const to = { name: 'address', label: texts.newAddress, type: 'email', autocomplete: 'email' } as const
  const forms: readonly (Form | undefined)[] = [
    {
      id: 'password',
      api: `${SECURITY_API}/auth/password`,
      fields: [current, chosen],
      button: texts.changePassword,
      said: texts.done
    },
    flows.changeAddress && {
      id: 'address',
      api: `${ACCOUNTS_API}/address`,
      fields: [to],
      button: texts.changeAddress,
      said: texts.mailed
    },
    flows.export && { id: 'export', api: `${ACCOUNTS_API}/export`, button: texts.askExport, said: texts.mailed },
    flows.deletion && {
      id: 'keep',
      api: `${ACCOUNTS_API}/deletion/cancel`,
      button: texts.keepAccount,
      said: texts.done
    },
    flows.deletion && { id: 'delete', api: `${ACCOUNTS_API}/deletion`, button: texts.askDeletion, said: texts.deleted },
    { id: 'sign-out', api: `${SECURITY_API}/auth/logout`, button: texts.signOut, next: 'sign-in' }
  ]
  const going = flows.deletion && html`<p id="going" data-text="${texts.going}" hidden></p>`
  const shown = forms.filter((form) => form !== undefined).map(formOf)
  return html`<p id="who"></p>${going}${shown}${accountLists(lists, texts)}`
}

/** What is there for who has a link. */
function byLink(form: unknown, texts: PageTexts): unknown {
  return html`<div data-when="token">${form}</div><p data-when="no-token">${texts.noLink}</p>`
}

function formOf({ id, api, fields = [], button, said = '', next, token = false, save = '' }: Form): unknown {
  const inputs = fields.map(({ name, label, type, autocomplete }) => {
    return html`<label>${label}<input name="${name}" type="${type}" autocomplete="${autocomplete}" required></label>`
  })
  return html`<form id="${id}" data-api="${api}" data-next="${next ?? ''}" data-said="${said}" data-token="${token ? 'yes' : ''}"
 data-save="${save}">${inputs}<button>${button}</button></form>`
}
