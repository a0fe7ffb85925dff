/** Reads addresses of mail. What mail servers read in two ways is refused: it would reach another mailbox. Pure. */
import { domainToASCII } from 'node:url'
import { InvalidMail } from '../errors.ts'
import type { MailAddress, Mailbox } from './message.ts'

/** Characters that end a header, or its display. */
export const CONTROLS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/

/** Letters of any script: a server that speaks SMTPUTF8 takes them. */
const DOT_ATOM = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
/** A quoted local part without what would end it elsewhere: quotes, backslashes, brackets, `@`, `,` and `;`. */
const QUOTED = /^"[ !#-'*+./0-9=?A-Z^_`a-z{|}~-]+"$/
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const DISPLAYED = /^(?:"([^"\\<>]*)"|([^"<>]*?))\s*<([^<>]+)>$/

const LOCAL_BYTES = 64
const ADDRESS_BYTES = 254
const NAME_CHARACTERS = 200

/** @param field as the caller calls it, for the message @throws InvalidMail */
export function readAddress(field: string, given: unknown): Mailbox {
  const { name, address } = partsOf(field, given)
  if (CONTROLS.test(name) || CONTROLS.test(address)) throw new InvalidMail(`${field} has control characters`)
  if (name.length > NAME_CHARACTERS) throw new InvalidMail(`a name in ${field} has over ${NAME_CHARACTERS} characters`)
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1))
  const whole = `${local}@${domain}`
  const isLocal = (DOT_ATOM.test(local) || QUOTED.test(local)) && Buffer.byteLength(local) <= LOCAL_BYTES
  const isDomain = domain.split('.').every((label) => LABEL.test(label)) && !/^[\d.]+$/.test(domain)
  if (at < 1 || !isLocal || !isDomain || Buffer.byteLength(whole) > ADDRESS_BYTES) {
    throw new InvalidMail(`${field} holds what is no address; expected name@example.org or Name <name@example.org>`)
  }
  return { name, address: whole }
}

/** @throws InvalidMail */
export function readAddresses(field: string, given: unknown): readonly Mailbox[] {
  if (given === undefined) return []
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  return list.map((each) => readAddress(field, each as MailAddress))
}

/** `a***@example.org`: what a log may say of a recipient. */
export function maskAddress(address: string): string {
  const [first = ''] = address
  return `${first}***${address.slice(address.lastIndexOf('@'))}`
}

function partsOf(field: string, given: unknown): Mailbox {
  if (typeof given === 'string') {
    const [, quoted, plain = '', address = given] = DISPLAYED.exec(given.trim()) ?? []
    return { name: quoted ?? plain, address: address.trim() }
  }
  const { name = '', address } = (given ?? {}) as { name?: unknown; address?: unknown }
  if (typeof name !== 'string' || typeof address !== 'string') throw new InvalidMail(`${field} needs an address`)
  return { name, address }
}
