/** The certificate an application serves https with: its own, or the made one of development. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BootError } from 'svc-kernel'
import { applicationFolder } from 'svc-kernel/host'
import type { Application } from '../application/application.ts'
import type { TlsChoices } from '../config/define-config.ts'
import { assertServes, type Certificate, devCertificate } from './dev-certificate.ts'

const CODE = 'SVC_HTTPS_CERTIFICATE'

/** What TLS is served with: certificate and key, and what `server.https` says of the protocol and of clients. */
export interface TlsSettings extends Certificate, Omit<TlsChoices, 'ca'> {
  /** Texts of the certificates that those of clients must lead to. */
  readonly ca?: string[]
}

/**
 * @param app one whose config was checked, with `server.https` on
 * @throws BootError SVC_HTTPS_CERTIFICATE: a file that cannot be read or kept, is no PEM, or does not match the other
 */
export async function httpsCertificate({ config, root }: Pick<Application, 'config' | 'root'>): Promise<TlsSettings> {
  const { https = false } = config.server ?? {}
  const { key, cert, ca, host: _host, port: _port, ...choices } = typeof https === 'boolean' ? {} : https
  const folder = applicationFolder(root)
  const own =
    key === undefined || cert === undefined
      ? await kept(folder)
      : {
          key: await pem('server.https.key', resolve(folder, key)),
          cert: await pem('server.https.cert', resolve(folder, cert))
        }
  const paths = ca === undefined ? [] : [ca].flat()
  const settings = {
    ...own,
    ...choices,
    ...(ca === undefined
      ? {}
      : { ca: await Promise.all(paths.map((path) => pem('server.https.ca', resolve(folder, path)))) })
  }
  try {
    assertServes(settings)
  } catch (error) {
    const message = `key and certificate cannot be used for TLS: ${(error as Error).message}`
    const fix = 'set the PEM files of one certificate and its unencrypted key, and ciphers that OpenSSL knows'
    const got = [key, cert, ...paths, choices.ciphers].filter((each) => each !== undefined).join(', ')
    throw new BootError([{ code: CODE, message, at: 'server.https', got, fix }], { cause: error })
  }
  return settings
}

async function pem(at: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { message } = error as Error
    const expected = 'path of a PEM file, from the folder of package.json'
    const fix = 'put the file there, or correct the path'
    throw new BootError([{ code: CODE, message: `cannot be read: ${message}`, at, got: path, expected, fix }], {
      cause: error
    })
  }
}

async function kept(folder: string): Promise<Certificate> {
  try {
    return await devCertificate(folder)
  } catch (error) {
    const message = `the development certificate cannot be created or stored: ${(error as Error).message}`
    const fix = 'give this user write access there, or set server.https.key and server.https.cert'
    throw new BootError([{ code: CODE, message, at: folder, fix }], { cause: error })
  }
}
