/**
 * The form of an address that is a login name: NFC, with the domain in lower case and ASCII. Login names are compared
 * exactly, and so is the part before the `@`, of which its mail server alone knows whether case counts. Pure.
 */
import { readAddress } from 'svc-mail'
import { InvalidAddress } from '../errors.ts'

/** @throws InvalidAddress (400) */
export function readMailAddress(given: unknown): string {
  if (typeof given !== 'string') throw new InvalidAddress()
  try {
    const { name, address } = readAddress('address', given.normalize('NFC').trim())
    if (name === '' && !/[<>]/.test(given)) return address
  } catch {
    // What svc-mail says of it names no fault that an address line could show.
  }
  throw new InvalidAddress()
}

/** Whether mail can go there. */
export function isMailAddress(given: string): boolean {
  try {
    return readMailAddress(given) !== ''
  } catch {
    return false
  }
}
