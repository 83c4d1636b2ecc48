# A minimal Debian with Java; deploy/run/images/build-local makes root.tar by debootstrap.
FROM scratch
ADD root.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
