/** A password from a person, never shown: typed twice at a terminal, or piped in whole. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from '../errors.ts'

/** Fewer are guessed too soon (NIST SP 800-63B, 3.1.1.2). */
const MIN_LENGTH = 8

export interface PasswordOptions {
  passwordStdin?: true
}

/** @throws CommandError SVC_USER_PASSWORD without a terminal, for two that differ, and for a short one */
export async function readPassword({ passwordStdin }: PasswordOptions): Promise<string> {
  if (passwordStdin === true) return checked(await readAll())
  if (!process.stdin.isTTY)
    throw refused('there is no terminal to ask for the password', 'echo ... | svc user:create ... --password-stdin')
  const first = await ask('Password: ')
  if ((await ask('Again: ')) !== first) throw refused('the two passwords differ', 'type the same one twice')
  return checked(first)
}

/** The line that `echo` ends is not part of it. */
async function readAll(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

/** What is typed goes nowhere; the question itself is written beside it. */
async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const stopped = new AbortController()
  reader.once('SIGINT', () => stopped.abort())
  process.stderr.write(question)
  try {
    return await reader.question('', { signal: stopped.signal })
  } catch {
    throw refused('no password was given', 'type one, or use --password-stdin')
  } finally {
    reader.close()
    process.stderr.write('\n')
  }
}

function checked(password: string): string {
  if (password.length >= MIN_LENGTH) return password
  throw refused(`the password has fewer than ${MIN_LENGTH} characters`, 'choose a longer one')
}

function refused(message: string, fix: string): CommandError {
  return new CommandError({ code: 'SVC_USER_PASSWORD', message, fix })
}
