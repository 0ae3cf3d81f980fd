# frozen_string_literal: true

module Ketch
  class Store
    # Replaces a file. After a crash, the file has either its old or its new content. The caller must hold the lock of
    # the file, because the name of the temporary file is always the same.
    #
    # If the extension is loaded, it replaces the file, and keeps the owner, mode, ACL and extended attributes. Pure
    # Ruby keeps the owner and the mode, since it cannot read the others. @private
    module Replacement
      # An error if some metadata cannot be restored. The file is unchanged.
      class Refused < StandardError; end

      CREATE = File::WRONLY | File::CREAT | File::EXCL | File::NOFOLLOW | File::BINARY
      LINKS_MAX = 40
      private_constant :CREATE, :LINKS_MAX

      class << self
        # Returns the path of the file that symbolic links lead to. The file need not exist.
        def target(path)
          links = 0
          path = File.expand_path(path)
          while File.symlink?(path)
            raise Errno::ELOOP, path if (links += 1) > LINKS_MAX

            path = File.expand_path(File.readlink(path), File.dirname(path))
          end
          path
        end

        # Writes the content to a temporary file beside the file, syncs it, and renames it.
        def write(path, content)
          old = existing(path)
          name = ".ketch-#{File.basename(path)}.new"
          return by_extension(path, name, content) if Ketch.respond_to?(:replace_file, true)

          temporary = File.join(File.dirname(path), name)
          # A process that was killed may have left such a file.
          remove(temporary)
          begin
            File.open(temporary, CREATE, 0o600) { |file| fill(file, content, old) }
            File.rename(temporary, path)
          ensure
            # This also runs after Interrupt, Timeout and Thread#kill. After the rename, there is no temporary file.
            remove(temporary)
          end
          sync_folder(File.dirname(path))
        end

        private

        def by_extension(path, name, content)
          reason = Ketch.__send__(:replace_file, path, name, content)
          raise Refused, reason if reason
        end

        def existing(path)
          stat = File.stat(path)
          raise Refused, "#{path} is not a regular file" unless stat.file?
          raise Refused, "#{path} has #{stat.nlink} hard links, which replacing it would separate" if stat.nlink > 1

          stat
        rescue Errno::ENOENT
          nil
        end

        def remove(temporary)
          File.unlink(temporary)
        rescue Errno::ENOENT
          nil
        end

        # Writes the content. The mode is set last, so that no other user can read the file until then.
        def fill(file, content, old)
          restore_owner(file, old) if old
          file.write(content)
          file.chmod(old ? old.mode & 0o7777 : 0o666 & ~File.umask)
          file.fsync
        end

        def restore_owner(file, old)
          found = file.stat
          return if found.uid == old.uid && found.gid == old.gid

          file.chown(old.uid, old.gid)
        rescue Errno::EPERM
          raise Refused, "the owner of the file cannot be restored (user #{old.uid}, group #{old.gid})"
        end

        # Syncs the folder, so that the rename is durable. Some file systems cannot sync folders.
        def sync_folder(folder)
          File.open(folder, &:fsync)
        rescue Errno::EINVAL, Errno::EACCES, Errno::EBADF
          nil
        end
      end
    end
    private_constant :Replacement
  end
end
