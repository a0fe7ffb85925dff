/** Tells one password of a user from the next: a login that waits for its second factor ends with the first. Says nothing of the password. */
import { hash } from 'node:crypto'

export function passwordMark({ passwordHash }: { readonly passwordHash?: string | null }): string {
  return hash('sha256', passwordHash ?? '', 'base64url').slice(0, 22)
}
