#pragma once
// Whose process is at the other end of a TCP connection within this machine, as the kernel knows it (sock_diag(7)).
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct holdfast_peer_process {
  unsigned int uid;
  unsigned long long group;  // the control group's id (cgroup v2); 0 when the kernel does not say
};

// A descriptor to ask by, or -1.
static inline int holdfast_open_diagnosis(void) {
  return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
}

static inline int holdfast_end_of(const struct sockaddr_storage *end, __be32 address[4], __be16 *port) {
  if (end->ss_family == AF_INET) {
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)end;
    memcpy(address, &v4->sin_addr, 4);
    *port = v4->sin_port;
    return 0;
  }
  if (end->ss_family != AF_INET6) return -1;
  const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)end;
  memcpy(address, &v6->sin6_addr, 16);
  *port = v6->sin6_port;
  return 0;
}

// 0 when found; -1 also when no process has that socket any more. Takes two to three microseconds: the kernel answers within `send`.
static inline int holdfast_peer_process_of(int diagnosis, int connection, struct holdfast_peer_process *out) {
  struct sockaddr_storage here, there;
  socklen_t length = sizeof here;
  if (getsockname(connection, (struct sockaddr *)&here, &length) != 0) return -1;
  length = sizeof there;
  if (getpeername(connection, (struct sockaddr *)&there, &length) != 0) return -1;
  struct { struct nlmsghdr head; struct inet_diag_req_v2 body; } question;
  memset(&question, 0, sizeof question);
  static unsigned int last;  // of the one thread that asks
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.head.nlmsg_seq = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  question.body.sdiag_family = (unsigned char)there.ss_family;
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = ~0U;
  // The socket whose own end is the peer's.
  if (holdfast_end_of(&there, question.body.id.idiag_src, &question.body.id.idiag_sport) != 0) return -1;
  if (holdfast_end_of(&here, question.body.id.idiag_dst, &question.body.id.idiag_dport) != 0) return -1;
  question.body.id.idiag_cookie[0] = question.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (send(diagnosis, &question, sizeof question, 0) != (ssize_t)sizeof question) return -1;
  _Alignas(struct nlmsghdr) char answer[2048];
  for (int attempt = 0; attempt < 4; attempt++) {
    ssize_t count = recv(diagnosis, answer, sizeof answer, 0);
    const struct nlmsghdr *head = (const struct nlmsghdr *)answer;
    if (count < (ssize_t)sizeof *head || head->nlmsg_len > (size_t)count) return -1;
    if (head->nlmsg_seq != question.head.nlmsg_seq) continue;  // left over from a question that failed half way
    if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY || head->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) return -1;
    const char *place = (const char *)NLMSG_DATA(head);
    const char *end = answer + head->nlmsg_len;
    const struct inet_diag_msg *found = (const struct inet_diag_msg *)place;
    if (found->idiag_inode == 0) return -1;  // its process has closed it, and the kernel now calls it root's
    out->uid = found->idiag_uid;
    out->group = 0;
    place += NLMSG_ALIGN(sizeof(struct inet_diag_msg));
    while (end - place >= (ssize_t)sizeof(struct nlattr)) {
      const struct nlattr *attribute = (const struct nlattr *)place;
      if (attribute->nla_len < NLA_HDRLEN || attribute->nla_len > end - place) break;
      if (attribute->nla_type == INET_DIAG_CGROUP_ID && attribute->nla_len == NLA_HDRLEN + sizeof out->group)
        memcpy(&out->group, place + NLA_HDRLEN, sizeof out->group);
      if (NLA_ALIGN(attribute->nla_len) > end - place) break;
      place += NLA_ALIGN(attribute->nla_len);
    }
    return 0;
  }
  return -1;
}
