/** Logins that fail: each cause, by each way in, as the bytes of one request. */

export const PASSWORD = 'a password of a bench'

/** The first is what the others are compared with. */
export const causes: ReadonlyArray<readonly [cause: string, name: string, password: string]> = [
  ['wrong password', 'alice', 'not the password'],
  ['unknown user', 'nobody', 'not the password'],
  ['no password', 'passwordless', 'not the password'],
  ['locked, right password', 'locked', PASSWORD],
  ['locked, wrong password', 'locked', 'not the password'],
  ['disabled, right password', 'disabled', PASSWORD]
]

type Way = (name: string, password: string) => Buffer

export const ways: Readonly<Record<string, Way>> = {
  'JSON login': (username, password) => posted('/svc/security/api/auth/login', { username, password }),
  'token endpoint': (username, password) => posted('/svc/security/api/token', { username, password }),
  Basic: (name, password) => {
    const credential = Buffer.from(`${name}:${password}`).toString('base64')
    return Buffer.from(`GET /basic HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Basic ${credential}\r\n\r\n`)
  }
}

function posted(path: string, payload: object): Buffer {
  const body = JSON.stringify(payload)
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
