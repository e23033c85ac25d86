#!/bin/sh
# Runs a command where every file system is read-only but an empty /tmp, as in a container with a read-only root:
#   unshare --user --map-root-user --mount sh read-only.sh COMMAND...
# The checkout is at /mnt then, because its own folder may be below /tmp.
set -eu
mount --make-rprivate /
# From the deepest up would do as well: a mount below another has flags of its own.
while read -r _ at kind _; do
  case "$at" in
    /proc* | /sys* | /dev*) continue ;;
  esac
  case "$kind" in
    proc | sysfs | devpts | cgroup*) continue ;;
  esac
  # The flags that a mount has from outside of the namespace have to be given again, and may be any of these.
  mount -o remount,bind,ro "$at" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev "$at" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev,relatime "$at" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev,noexec,relatime "$at"
done </proc/self/mounts
mount --rbind "$(dirname "$0")/../.." /mnt
mount -t tmpfs tmpfs /tmp
exec "$@"
