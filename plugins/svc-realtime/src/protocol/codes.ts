/** The numbers of the protocol: JSON-RPC 2.0 error codes, and the close codes of a socket. */

/** The first five are those of JSON-RPC 2.0 itself (section 5.1); the others are ours. */
export const RpcCode = Object.freeze({
  PARSE: -32700,
  INVALID_REQUEST: -32600,
  UNKNOWN_METHOD: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL: -32603,
  /** The route, or a limit, answered so: `data.status` says with which status. */
  APPLICATION: -32000,
  UNAUTHORISED: -32001,
  FORBIDDEN: -32003
})

export type RpcCode = (typeof RpcCode)[keyof typeof RpcCode]

/** RFC 6455, 7.4; `IDENTITY_OVER` (4001) is the kernel's, as other sockets end with it too. */
export const CloseCode = Object.freeze({
  POLICY_VIOLATION: 1008,
  TOO_BIG: 1009,
  TRY_AGAIN_LATER: 1013
})
