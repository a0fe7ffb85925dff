/** Asks for a new sign-in where a session ended: in place, so that what was being written stays. */
import { signal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { forgetToken } from './api.ts'
import { settings } from './settings.ts'

const waiting = signal<readonly (() => void)[]>([])

/** Resolves when the same user is signed in again. */
export function askToSignIn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.value = [...waiting.value, resolve]
  })
}

function signedIn(identifier: string): void {
  // What is on the page belongs to somebody else.
  if (identifier !== settings.user?.identifier) window.location.reload()
  forgetToken()
  const resolvers = waiting.value
  waiting.value = []
  for (const resolve of resolvers) resolve()
}

export function SessionDialog() {
  if (waiting.value.length === 0) return null
  return (
    <Dialog title="Your session has ended" onClose={null}>
      <p>Sign in again to go on. Nothing on this page is lost.</p>
      <SignInForm username={settings.user?.identifier ?? ''} onSignedIn={signedIn} />
    </Dialog>
  )
}
