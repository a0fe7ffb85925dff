/** The own account, over the routes that every user has. */
import { call, SECURITY_API } from '../../app/api.ts'
import type { Session } from '../../parts/session-list.tsx'

export interface Codes {
  readonly enabled: boolean
  readonly recoveryCodesLeft: number
}

export interface Passkey {
  readonly id: string
  readonly nickname: string | null
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export interface ApiKey {
  readonly id: string
  readonly name: string | null
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
}

export interface NewApiKey {
  readonly name: string
  readonly scopes?: readonly string[]
  readonly expiresInDays?: number
}

const post = <T>(path: string, body?: unknown) => call<T>('POST', `${SECURITY_API}/${path}`, body)
const get = <T>(path: string) => call<T>('GET', `${SECURITY_API}/${path}`)

export const changePassword = (current: string, password: string) => post('auth/password', { current, password })

export const readSessions = async () => (await get<{ sessions: Session[] }>('auth/sessions')).sessions
export const endSession = (ref: string) => post(`auth/sessions/${encodeURIComponent(ref)}/revoke`)
export const endOtherSessions = async () => (await post<{ count: number }>('auth/sessions/revoke-others')).count

export const readCodes = () => get<Codes>('totp/status')
export const enrollCodes = () => post<{ secret: string; uri: string }>('totp/enroll')
export const confirmCodes = async (code: string) =>
  (await post<{ recoveryCodes: string[] }>('totp/confirm', { code })).recoveryCodes
export const disableCodes = (code: string) => post('totp/disable', { code })

export const readPasskeys = async () => (await get<{ credentials: Passkey[] }>('webauthn/credentials')).credentials
export const removePasskey = (id: string) =>
  call('DELETE', `${SECURITY_API}/webauthn/credentials/${encodeURIComponent(id)}`)

/** Asks the browser, which asks the person. */
export async function addPasskey(nickname: string): Promise<void> {
  const options = await post<PublicKeyCredentialCreationOptionsJSON>('webauthn/register/options')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  const name = nickname.trim() === '' ? {} : { nickname: nickname.trim() }
  await post('webauthn/register/verify', { response: credential.toJSON(), ...name })
}

export const readKeys = async () => (await get<{ keys: ApiKey[] }>('keys')).keys
export const createKey = async (key: NewApiKey) => (await post<{ token: string }>('keys', key)).token
export const revokeKey = (id: string) => call('DELETE', `${SECURITY_API}/keys/${encodeURIComponent(id)}`)
