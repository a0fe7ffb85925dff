/**
 * Addresses that are not public: what the IANA special-purpose registries call not globally reachable, and multicast.
 * IPv4 inside IPv6 is not here: it is unwrapped before.
 */

/** 15 ranges. */
export const INTERNAL_IPV4: readonly string[] = Object.freeze([
  '0.0.0.0/8', // this network; 0.0.0.0 reaches the own host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared address space
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // former 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4' // reserved, broadcast
])

/** 9 ranges, each as wide as its neighbours in the registry allow. */
export const INTERNAL_IPV6: readonly string[] = Object.freeze([
  '::/8', // unspecified, loopback, IPv4-compatible, IPv4-translated, both NAT64 prefixes
  '100::/8', // discard-only, dummy
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fe00::/7' // link-local, former site-local, multicast
])

/** What no setting opens: link-local, and the metadata services that clouds put elsewhere. */
export const NEVER_OPENED: readonly string[] = Object.freeze([
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32'
])
