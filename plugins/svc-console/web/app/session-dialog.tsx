/**
 * Asks for a new sign-in where a session ended: in place, so that what was being written stays. It stays for the user who
 * wrote it alone. When another user signs in, what waits is dropped, and the page begins again as theirs.
 */
import { signal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { forgetToken, otherUser, type SessionEnd } from './api.ts'
import { askForProof } from './proof-dialog.tsx'
import { settings } from './settings.ts'
import { toast } from './toasts.tsx'

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

const waiting = signal<readonly Waiting[]>([])

/** Of the session storage: what the page says when it begins again. */
const NOTE = 'svc-console.note'

export const sessionEnd: SessionEnd = {
  ask: () =>
    new Promise((resolve, reject) => {
      waiting.value = [...waiting.value, { resolve, reject }]
    }),
  prove: askForProof,
  replaced
}

function signedIn(identifier: string): void {
  forgetToken()
  if (identifier !== settings.user?.identifier) {
    replaced(identifier)
    return
  }
  for (const { resolve } of takeWaiting()) resolve()
}

function replaced(identifier: string): void {
  for (const { reject } of takeWaiting()) reject(otherUser(identifier))
  const before = settings.user?.identifier ?? 'nobody'
  sessionStorage.setItem(NOTE, `You are signed in as ${identifier}. What ${before} had not saved was not sent.`)
  window.location.reload()
}

function takeWaiting(): readonly Waiting[] {
  const taken = waiting.value
  waiting.value = []
  return taken
}

/** Call once. */
export function sayWhoIsSignedIn(): void {
  const note = sessionStorage.getItem(NOTE)
  sessionStorage.removeItem(NOTE)
  if (note !== null) toast(note)
}

export function SessionDialog() {
  if (waiting.value.length === 0) return null
  return (
    <Dialog title="Your session has ended" onClose={null}>
      <p>
        Sign in again as <strong>{settings.user?.identifier}</strong> to continue: nothing on this page is lost. Another
        account begins with a fresh page, and sends nothing of this one.
      </p>
      <SignInForm username={settings.user?.identifier ?? ''} onSignedIn={signedIn} />
    </Dialog>
  )
}
