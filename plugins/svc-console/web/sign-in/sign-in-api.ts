/** The steps of a sign-in, over the public routes of svc-security. */
import type { CodeDue, SignedIn } from 'svc-security/wire'
import { callSignedOut, SECURITY_API } from '../app/api.ts'

/** @returns the name of who is signed in; `null` where a one-time code has to follow */
export async function signInWithPassword(username: string, password: string): Promise<string | null> {
  const answer = await callSignedOut<SignedIn | CodeDue>(`${SECURITY_API}/auth/login`, { username, password })
  return 'user' in answer ? answer.user.identifier : null
}

export async function signInWithCode(code: string): Promise<string> {
  const answer = await callSignedOut<SignedIn>(`${SECURITY_API}/auth/login/totp`, { code })
  return answer.user.identifier
}

export async function signInWithPasskey(): Promise<string> {
  const response = await answerOfPasskey()
  const answer = await callSignedOut<SignedIn>(`${SECURITY_API}/webauthn/login/verify`, { response })
  return answer.user.identifier
}

/** What a passkey of the user's choice says to a challenge of the server. */
export async function answerOfPasskey(): Promise<unknown> {
  const options = await callSignedOut<PublicKeyCredentialRequestOptionsJSON>(`${SECURITY_API}/webauthn/login/options`)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return credential.toJSON()
}

export async function signOut(): Promise<void> {
  await callSignedOut(`${SECURITY_API}/auth/logout`)
}

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window
