/** The own account, over the routes that every user has. */
import type {
  EndedSessions,
  NewApiKey,
  OwnApiKeys,
  OwnSessions,
  Passkeys,
  RecoveryCodes,
  TotpSecret,
  TotpStatus
} from 'svc-security/wire'
import { call, SECURITY_API } from '../../app/api.ts'

export type Codes = TotpStatus
export type Passkey = Passkeys['credentials'][number]
export type ApiKey = OwnApiKeys['keys'][number]

export interface KeyQuestion {
  readonly name: string
  readonly scopes?: readonly string[]
  readonly expiresInDays?: number
}

const post = <T>(path: string, body?: unknown) => call<T>('POST', `${SECURITY_API}/${path}`, body)
const get = <T>(path: string) => call<T>('GET', `${SECURITY_API}/${path}`)

export const changePassword = (current: string, password: string) => post('auth/password', { current, password })

export const readSessions = async () => (await get<OwnSessions>('auth/sessions')).sessions
export const endSession = (ref: string) => post(`auth/sessions/${encodeURIComponent(ref)}/revoke`)
export const endOtherSessions = async () => (await post<EndedSessions>('auth/sessions/revoke-others')).count

export const readCodes = () => get<Codes>('totp/status')
export const enrollCodes = () => post<TotpSecret>('totp/enroll')
export const confirmCodes = async (code: string) => (await post<RecoveryCodes>('totp/confirm', { code })).recoveryCodes
export const disableCodes = (code: string) => post('totp/disable', { code })

export const readPasskeys = async () => (await get<Passkeys>('webauthn/credentials')).credentials
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

export const readKeys = async () => (await get<OwnApiKeys>('keys')).keys
export const createKey = async (key: KeyQuestion) => (await post<NewApiKey>('keys', key)).token
export const revokeKey = (id: string) => call('DELETE', `${SECURITY_API}/keys/${encodeURIComponent(id)}`)
