/**
 * The session of the page: opened by the secret in the fragment, which leaves the address bar at once, and held as a bearer.
 * No cookie is involved, so a page that shows this one in a frame needs none, and no other page can act for it. The bearer
 * survives a reload of this tab, where the browser lets the frame store anything.
 */
import { signal } from '@preact/signals'
import type { PortalEntered, PortalSession } from 'svc-events/wire'
import { page } from './page.ts'
import { use } from './texts.ts'
import { paint } from './theme.ts'

/** Why nothing, or what, is shown. */
export type View = 'opening' | 'open' | 'over' | 'closed' | 'left' | 'offline'

export const view = signal<View>('opening')
export const session = signal<PortalSession | null>(null)

/** An answer that is no success, or none at all (`status` 0). */
export class PortalError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

const KEPT = 'svc-portal'
const SECRET = /^#(portal_[\w-]{43})$/

let token: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined

/** Opens the link in the address, or goes on with the session of this tab. */
export async function openLink(): Promise<void> {
  const secret = SECRET.exec(window.location.hash)?.[1]
  // What is in the address bar is in the history, on a shared screen, in a bookmark.
  if (secret !== undefined) window.history.replaceState(null, '', window.location.pathname)
  view.value = 'opening'
  try {
    if (secret !== undefined) {
      const entered = await ask<PortalEntered>('POST', '/session', { secret })
      token = entered.token
      keep(token)
      begin(entered.session)
      return
    }
    token ??= kept()
    if (token === null) view.value = 'over'
    else begin(await ask<PortalSession>('GET', '/session'))
  } catch (error) {
    const { status } = error as PortalError
    if (status === 0 || status >= 500) view.value = 'offline'
    else end(status === 403 || status === 404 ? 'closed' : 'over')
  }
}

function begin(found: PortalSession): void {
  use(found.locale, found.texts as never)
  paint(found.theme)
  session.value = found
  view.value = 'open'
  clearTimeout(timer)
  timer = setTimeout(() => end('over'), Math.max(0, found.expiresAt - Date.now()))
}

function end(why: View): void {
  clearTimeout(timer)
  token = null
  keep(null)
  session.value = null
  view.value = why
}

export async function leave(): Promise<void> {
  await call('DELETE', '/session').catch(() => undefined)
  end('left')
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * @param path below the portal's API
 * @param seen version that a change was made from
 * @throws PortalError
 */
export async function call<T>(method: Method, path: string, body?: unknown, seen: number | null = null): Promise<T> {
  try {
    return await ask<T>(method, path, body, seen)
  } catch (error) {
    const { status, code } = error as PortalError
    if (status === 401) end('over')
    else if (status === 403 && !code.startsWith('SVC_ORG_')) end('closed')
    throw error
  }
}

async function ask<T>(method: Method, path: string, body?: unknown, seen: number | null = null): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (token !== null) headers.authorization = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (seen !== null) headers['if-match'] = `"${seen}"`
  let answer: Response
  try {
    const init = { method, headers, credentials: 'omit' as const, cache: 'no-store' as const }
    answer = await fetch(`${page.base}/api${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) })
  } catch {
    throw new PortalError(0, 'NO_ANSWER')
  }
  const found = (await answer.json().catch(() => ({}))) as T & { readonly code?: string }
  if (!answer.ok) throw new PortalError(answer.status, found.code ?? `HTTP_${answer.status}`)
  return found
}

function keep(value: string | null): void {
  try {
    if (value === null) window.sessionStorage.removeItem(KEPT)
    else window.sessionStorage.setItem(KEPT, value)
  } catch {
    // A frame of another site may be allowed to store nothing: a reload then ends the session.
  }
}

function kept(): string | null {
  try {
    return window.sessionStorage.getItem(KEPT)
  } catch {
    return null
  }
}
