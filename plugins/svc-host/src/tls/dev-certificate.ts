/**
 * The certificate of development, for localhost, 127.0.0.1 and ::1. Made on first use, kept in `.svc/` for its owner
 * alone, and made again in the last week of its year. It proves nothing to other machines.
 */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { Worker } from 'node:worker_threads'

/** A key with its certificate, both as PEM text. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** @throws what OpenSSL says: text that is no PEM, a key that is not the certificate's, or ciphers that it does not know */
export function assertServes(settings: Certificate & SecureContextOptions & { readonly ca?: string[] }): void {
  createSecureContext(settings)
  // OpenSSL passes over authorities that are none; no client could prove itself.
  for (const authority of settings.ca ?? []) new X509Certificate(authority)
}

const WEEK_MS = 604_800_000

/**
 * @param folder of the application's package
 * @param now the present moment
 * @throws what the file system says when the certificate cannot be kept
 */
export async function devCertificate(folder: string, now: Date = new Date()): Promise<Certificate> {
  const keyFile = join(folder, '.svc', 'dev-certificate.key.pem')
  const certFile = join(folder, '.svc', 'dev-certificate.crt.pem')
  const kept = await read(keyFile, certFile)
  if (kept !== null && isFresh(kept, now)) return kept
  const made = await make(now)
  await mkdir(join(folder, '.svc'), { recursive: true, mode: 0o700 })
  await keep(keyFile, made.key)
  await keep(certFile, made.cert)
  return made
}

async function read(keyFile: string, certFile: string): Promise<Certificate | null> {
  try {
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')])
    return { key, cert }
  } catch {
    return null
  }
}

/** Two starts at once may have kept the key of one and the certificate of the other. */
function isFresh(kept: Certificate, now: Date): boolean {
  try {
    assertServes(kept)
    const { validFrom, validTo } = new X509Certificate(kept.cert)
    return Date.parse(validFrom) <= now.getTime() && now.getTime() < Date.parse(validTo) - WEEK_MS
  } catch {
    return false
  }
}

async function make(now: Date): Promise<Certificate> {
  const worker = new Worker(new URL('./certificate-worker.js', import.meta.url), { workerData: now })
  try {
    const [made] = (await once(worker, 'message')) as [Certificate]
    return made
  } finally {
    await worker.terminate()
  }
}

/** Never half a file, and never readable by others in between. */
async function keep(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, file)
}
